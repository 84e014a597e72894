import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  /** `primary` once in a view; `danger` for what cannot be undone; `plain` without an edge. */
  readonly kind?: 'primary' | 'quiet' | 'plain' | 'danger';
  /** What it started is not finished. It keeps the focus and does nothing. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** The accessible name if the content is not one. */
  readonly label?: string;
  /** With an address it is a link. */
  readonly href?: string;
  /** The link opens a new tab. */
  readonly away?: boolean;
  readonly download?: string;
  /** The icon before the text. Beside the title of a page, a phone shows only the icon. */
  readonly brief?: IconName;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A button, or a link that looks like one. */
export function Button(props: ButtonProps) {
  const {
    kind = 'quiet',
    busy = false,
    disabled = false,
    label,
    href,
    away,
    download,
    brief,
    type = 'button',
    onClick,
  } = props;
  const className = brief ? `button ${kind} brief` : `button ${kind}`;
  const content = brief ? <span>{props.children}</span> : props.children;
  const away_ = away ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  if (href !== undefined)
    return (
      <a class={className} href={href} aria-label={label} download={download} onClick={onClick} {...away_}>
        {brief && <Icon name={brief} />}
        {content}
      </a>
    );
  const still = busy || disabled;
  return (
    <button
      class={className}
      type={type}
      aria-label={label}
      aria-disabled={still ? 'true' : undefined}
      onClick={(event) => {
        if (!still) return onClick?.();
        event.preventDefault();
      }}
    >
      {busy && <span class="spinner" aria-hidden="true" />}
      {brief && !busy && <Icon name={brief} />}
      {content}
    </button>
  );
}
