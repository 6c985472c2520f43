// Images are words everywhere but in get, and there only for a model that takes them.

import type { ImageContent } from "@mariozechner/pi-ai";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { openParentSession, withoutTimes } from "../support/ask-parent.ts";
import { startConsulting } from "../support/consulting.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

/** One red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const picture = (data = PIXEL): ImageContent => ({ type: "image", data, mimeType: "image/png" });

test("Images are described, and returned only by get to a model that takes images.", async () => {
  const session = buildSession();
  const user = session.user([{ type: "text", text: "Look:" }, picture()]);
  const { result } = session.operate("read", { path: "a.png" }, [picture(), picture()]);
  const seeing = openParentSession(session.manager, { takesImages: true });
  const blind = openParentSession(session.manager, { takesImages: false });

  const others = await Promise.all(
    [
      { action: "overview" },
      { action: "list" },
      { action: "files" },
      { action: "search", query: "look" },
      { action: "search", query: PIXEL.slice(0, 20) },
    ].map((args) => seeing.askWithImages(args)),
  );
  const seen = await seeing.askWithImages({ action: "get", ids: [user, result, user] });
  const unseen = await blind.askWithImages({ action: "get", ids: [user, result] });

  expect(others.map(({ images }) => images)).toEqual([[], [], [], [], []]);
  expect(withoutTimes(others[0]?.text ?? "")).toContain(`[${user}] (1 image) Look:`);
  expect(withoutTimes(others[1]?.text ?? "")).toContain(`[${user}] user, 1 image: Look:`);
  expect(others[1]?.text).toMatch(/read 0B, 2 images: a\.png$/m);
  expect(others[4]?.text).toContain("none, 0 hits");
  expect(seen.images).toEqual([picture(), picture(), picture()]);
  expect(unseen.images).toEqual([]);
  for (const { text } of [seen, unseen]) {
    expect(text.match(/\(image, image\/png, 7\dB\)/g)).toHaveLength(3);
    expect(text).not.toContain(PIXEL);
  }
});

test("Images come with the first page of their content only, and not too many at once.", async () => {
  const session = buildSession();
  const mixed = session.user([{ type: "text", text: "line\n".repeat(3000) }, picture("first")]);
  const many = session.user(Array.from({ length: 12 }, (_, n) => picture(`many${n}`)));
  const { askWithImages } = openParentSession(session.manager);

  const first = await askWithImages({ action: "get", ids: [mixed] });
  const second = await askWithImages({ action: "get", ids: [mixed], offset: 2001 });
  const both = await askWithImages({ action: "get", ids: [mixed, many] });
  const alone = await askWithImages({ action: "get", ids: [many] });

  expect(first.images).toEqual([picture("first")]);
  expect(second.images).toEqual([]);
  expect(both.images).toEqual([picture("first")]);
  expect(both.text).toContain("[12 images of this entry left out; get it alone for them.]");
  expect(alone.images).toHaveLength(12);
});

test.for([
  [["text", "image"], 1],
  [["text"], 0],
] as const)("A child whose model takes %j is sent %i image of the parent.", async ([input, images]) => {
  let id = "";
  await using pi = await startConsulting({
    models: { adv: { input: [...input] } },
    sessionManager: (home) => {
      const session = buildSession(SessionManager.create(home.project, home.sessionDir));
      id = session.user([{ type: "text", text: "Look:" }, picture()]);
      return session.manager;
    },
  });
  pi.server.script("adv", [step.call("parent_session", { action: "get", ids: [id] }), step.say("Seen.")]);

  await pi.ask("What is in the picture?");

  const sent = pi.server.requests("adv")[1]?.raw ?? "";
  expect(sent.split(PIXEL)).toHaveLength(images + 1);
  expect(sent).toContain("(image, image/png, ");
  expect(pi.surprises()).toEqual([]);
});
