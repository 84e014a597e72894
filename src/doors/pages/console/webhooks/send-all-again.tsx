import { useWrite } from '../client/ask.ts';
import { Confirm } from '../client/confirm.tsx';
import { ReplayFailed } from '../generated/webhooks.ts';
import { words } from '../shared/words.ts';

/** How far back failed deliveries are sent again. */
const WEEK_MS = 7 * 86_400_000;

interface SendAllAgainProps {
  /** Only deliveries to this endpoint. */
  readonly endpointId: string | null;
  readonly open: boolean;
  /** Called with the number of deliveries that are sent again. */
  readonly onDone: (queued: number) => void;
  readonly onClose: () => void;
}

/** Asks, and sends every delivery that failed again: those to endpoints, and those to the addresses of orders. */
export function SendAllAgain({ endpointId, open, onDone, onClose }: SendAllAgainProps) {
  const { busy, problem, send, clear } = useWrite(ReplayFailed);
  const run = async () => {
    let queued = 0;
    for (let since: number | null = Date.now() - WEEK_MS; since !== null; ) {
      const data: Awaited<ReturnType<typeof send>> = await send({ input: { endpointId, since } });
      if (!data) return;
      queued += data.replayWebhooks.queued;
      since = data.replayWebhooks.nextSince;
    }
    onDone(queued);
  };
  return (
    <Confirm
      open={open}
      title={words.webhooks.replay}
      action={words.webhooks.replay}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onClose={() => {
        clear();
        onClose();
      }}
    >
      <p>{words.webhooks.replayWill({ endpoint: endpointId === null ? 'all' : 'one' })}</p>
    </Confirm>
  );
}
