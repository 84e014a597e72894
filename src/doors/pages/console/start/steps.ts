import type { StartStepsQuery } from '../generated/start.ts';

/** The steps as the server knows them. */
export type Steps = StartStepsQuery['onboarding']['steps'];
export type StepName = Steps[number]['step'];

/** What a step receives. */
export interface StepProps {
  readonly steps: Steps;
  /** The address of the step to go on with. */
  readonly nextUrl: string;
  /** Goes there, after the step is done. */
  readonly onDone: () => void;
}

/** Whether a step is done. */
export const isDone = (steps: Steps, name: StepName): boolean => steps.some(({ step, done }) => step === name && done);

/** The step after this one that is not done, else an earlier one; null if all others are done. */
export function stepAfter(steps: Steps, current: StepName): StepName | null {
  const at = steps.findIndex(({ step }) => step === current);
  const others = [...steps.slice(at + 1), ...steps.slice(0, at)];
  return others.find(({ done }) => !done)?.step ?? null;
}

/** The address of a step; of the end without one. */
export const stepUrl = (step: StepName | null): string => `/console/start?step=${step ?? 'done'}`;
