import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

export interface EmptyProps {
  readonly title: string;
  readonly text?: ComponentChildren;
  /** The next step. */
  readonly action?: { readonly href: string; readonly text: string };
}

/** The place of a list without entries: why it is empty, and the next step. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {action && <Button href={action.href}>{action.text}</Button>}
    </div>
  );
}
