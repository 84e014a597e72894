import type { AnyVariables } from '@urql/preact';
import type { Operation } from '../../client/graphql.ts';
import { useWrite } from './ask.ts';
import { Confirm, type ConfirmProps } from './confirm.tsx';

interface ConfirmWriteProps<Data, Variables> extends Omit<ConfirmProps, 'busy' | 'problem' | 'onConfirm'> {
  readonly write: Operation<Data, Variables>;
  readonly variables: Variables;
  /** What the user decides on is still being read. */
  readonly waits?: boolean;
  /** Called after the write in place of `onClose`. */
  readonly onDone?: (data: Data) => void;
}

/** Asks before a write, and sends it. */
export function ConfirmWrite<Data, Variables extends AnyVariables>(props: ConfirmWriteProps<Data, Variables>) {
  const { write, variables, waits = false, onDone, onClose, ...confirm } = props;
  const { busy, problem, send, clear } = useWrite(write);
  const run = async () => {
    const data = await send(variables);
    if (data !== null) (onDone ?? onClose)(data);
  };
  return (
    <Confirm
      {...confirm}
      busy={busy || waits}
      problem={problem}
      onConfirm={() => void run()}
      onClose={() => {
        clear();
        onClose();
      }}
    />
  );
}
