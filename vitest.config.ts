import { defineConfig } from "vitest/config";
import { closingLine } from "./test/support/closing-line.ts";

export default defineConfig({
  test: {
    pool: "forks",
    // The tests start Pi processes of their own; more than two at a time starve each other.
    maxWorkers: 2,
    reporters: ["default", closingLine],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 90_000 },
      },
    ],
  },
});
