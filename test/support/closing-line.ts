// A vitest reporter that ends the output with one plain line: how many tests passed, failed and were skipped.
import type { Reporter, TestModule } from "vitest/node";

export const closingLine: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    console.log(countTests(modules, unhandledErrors.length));
  },
};

function countTests(modules: readonly TestModule[], unhandledErrors: number): string {
  const count = { passed: 0, failed: unhandledErrors, skipped: 0, pending: 0 };
  for (const module of modules) {
    // A file or a group that failed outside its tests has no failed test to show for it.
    count.failed += module.errors().length;
    for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
    for (const test of module.children.allTests()) count[test.result().state] += 1;
  }
  // A test that never came to its end has not passed.
  return `tests: ${count.passed} passed, ${count.failed + count.pending} failed, ${count.skipped} skipped`;
}
