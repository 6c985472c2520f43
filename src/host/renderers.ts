// Tells Pi how Angel's own entries and messages are drawn; the drawing itself is view/'s.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { ADVICE_MESSAGE, adviceOf } from "../core/advice-message.ts";
import { drawCard } from "../view/card.ts";
import { drawReport } from "../view/report.ts";
import type { AdviceCard } from "./angel-tool.ts";
import { CARD_ENTRY } from "./angel-tool.ts";
import type { Report } from "./report.ts";
import { REPORT_ENTRY } from "./report.ts";

/** Pi pads its own messages by the outputPad setting and does not tell entry renderers what it is. */
const USUAL_PADDING = 1;

export function registerRenderers(
  pi: Pick<ExtensionAPI, "registerEntryRenderer" | "registerMessageRenderer">,
): void {
  const hint = (options: {
    expanded: boolean;
    keyHint: (key: "app.tools.expand", words: string) => string;
  }) => (options.expanded ? "" : options.keyHint("app.tools.expand", "to expand"));
  pi.registerEntryRenderer<AdviceCard>(CARD_ENTRY, ({ data }, options, theme) => {
    const advice = typeof data?.advice === "string" ? data.advice : "";
    const { expanded } = options;
    return drawCard(
      advice,
      data?.record,
      { expanded, padding: USUAL_PADDING, expandHint: hint(options) },
      theme,
    );
  });
  pi.registerMessageRenderer<unknown>(ADVICE_MESSAGE, ({ content, details }, options, theme) => {
    const { expanded, outputPad } = options;
    return drawCard(
      adviceOf(content) ?? "",
      details,
      { expanded, padding: outputPad, expandHint: hint(options) },
      theme,
    );
  });
  pi.registerEntryRenderer<Report>(REPORT_ENTRY, ({ data }, options, theme) =>
    drawReport(data, { expanded: options.expanded, expandHint: hint(options) }, theme),
  );
}
