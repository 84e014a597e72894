import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../shared/words.ts';
import { Icon } from './icon.tsx';

interface PageHeadProps {
  readonly title: string;
  /** What the heading shows in place of the title of the document. */
  readonly shown?: string;
  readonly lead?: ComponentChildren;
  /** The page that leads here. */
  readonly up?: { readonly href: string; readonly title: string };
  /** Buttons beside the title. */
  readonly children?: ComponentChildren;
}

/** The title of a page, which is the title of the document too. After a change of page it has the focus. */
export function PageHead({ title, shown = title, lead, up, children }: PageHeadProps) {
  const { wasPush } = useLocation() as { wasPush?: boolean };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.name}`;
  }, [title]);
  useEffect(() => {
    if (wasPush) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-head">
      {up && (
        <a class="up" href={up.href}>
          <Icon name="left" />
          {up.title}
        </a>
      )}
      <div class="page-head-row">
        <h1 ref={heading} tabIndex={-1}>
          {shown}
        </h1>
        {children && <div class="page-actions">{children}</div>}
      </div>
      {lead && <p class="lead">{lead}</p>}
    </header>
  );
}
