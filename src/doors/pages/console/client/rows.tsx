import type { ComponentChildren } from 'preact';
import { words } from '../shared/words.ts';

/** A list of rows; `old` while other rows are on their way. */
export function Rows({
  label,
  old,
  children,
}: {
  readonly label: string;
  readonly old?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <ul class={old ? 'rows old' : 'rows'} aria-label={label} aria-busy={old}>
      {children}
    </ul>
  );
}

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8];

/** The place of rows that are being read, as high as they will be. */
export function SkeletonRows({ count = PLACES.length }: { readonly count?: number }) {
  return (
    <div class="rows" aria-busy="true">
      <p class="unseen" role="status">
        {words.loading}
      </p>
      {PLACES.slice(0, count).map((n) => (
        <div key={n} class="row">
          <span class="skeleton" />
        </div>
      ))}
    </div>
  );
}
