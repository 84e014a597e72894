import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start programs of their own or follow a chain take longest, and so do those that are named here. */
const LONG = [
  /\/test\/(?:system|browser|live|faults|rails|fuzz|simulation|clients|edge)\//,
  /\/src\/domain\/(?:reports\/exports|settlement|payments\/(?:test\/(?:simulated-year|slow-rpc)|watching\/(?:worker|finality))|webhooks)/,
  /\/(?:compile|fast-path|failures|card-checkout|document|drift)\.test\.ts$/,
];

const isLong = ({ moduleId }: TestSpecification) => LONG.some((names) => names.test(moduleId));

/**
 * Begins with the files that take longest, also where no earlier run was timed: begun last, one of them alone would
 * hold up the end of the run.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
