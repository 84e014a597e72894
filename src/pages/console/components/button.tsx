import type { ComponentChildren } from 'preact';

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
    type = 'button',
    onClick,
  } = props;
  const className = `button ${kind}`;
  const away_ = away ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  if (href !== undefined)
    return (
      <a class={className} href={href} aria-label={label} download={download} onClick={onClick} {...away_}>
        {props.children}
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
      {props.children}
    </button>
  );
}
