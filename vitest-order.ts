import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes minutes in a small file. Begun last, as its size asks for, each would run alone at the end. */
const LONGEST = ["simulation/simulate.test.ts", "packages/core/gift-cards/saga-table.test.ts"];

/** Runs the longest files first, and the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
