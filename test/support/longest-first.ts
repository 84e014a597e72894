import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that start programs of their own take longest; begun last, one of them alone would hold up the end of the run.
 */
const LONG = /\/(?:test\/(?:durability|browser|cli)|src\/platform\/embedded)\//;

/** Begins with the files that take longest, also where no earlier run was timed. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [
      ...sorted.filter(({ moduleId }) => LONG.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !LONG.test(moduleId)),
    ];
  }
}
