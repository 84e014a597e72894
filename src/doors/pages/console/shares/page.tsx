import { useState } from 'preact/hooks';
import { useRead } from '../client/ask.ts';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { StartSplit } from '../generated/start.ts';
import { words } from '../shared/words.ts';
import { SplitForm } from '../start/split-step.tsx';

/** Who receives which share of each payment, and the change of it. */
export default function SharesPage() {
  const read = useRead(StartSplit, {});
  const [isDone, setIsDone] = useState(false);
  return (
    <>
      <PageHead title={words.start.sharesTitle} lead={words.start.sharesLead} />
      <p role="status" class={isDone ? 'note good' : undefined}>
        {isDone && words.start.sharesDone}
      </p>
      <Loaded read={read} of={read.data?.split} place={<SkeletonCard kind="new-form" lines={2} />}>
        {(split) => (
          <div class="card new-form">
            <SplitForm
              key={split.address ?? ''}
              split={split}
              nextUrl={null}
              onDone={() => {
                setIsDone(true);
                read.again();
              }}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}
