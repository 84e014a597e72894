import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a page under its own heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
