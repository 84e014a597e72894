import type { ComponentType } from 'preact';
import type { Permission } from '../../generated/session.ts';
import type { IconName } from './icon.tsx';

/** What a page of the console receives: the parts of its path, such as `receiptId`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

/** The groups of the navigation, in their order. */
export const GROUPS = ['sell', 'money', 'customers', 'settings'] as const;

/** A page of the console. Its name is the name of its folder. */
export interface ConsolePage {
  readonly name: string;
  /** What a shop does with it, by which the navigation is grouped. The home page is before all groups. */
  readonly group?: (typeof GROUPS)[number];
  /** The path, with `:names` for its variable parts. */
  readonly path: string;
  readonly title: () => string;
  /** The icon in the navigation; null for a page that other pages lead to. */
  readonly icon: IconName | null;
  /** The key that opens the page after `g`; null if there is none. */
  readonly key: string | null;
  /** What a role must include to use the page; `operator`: only for platform admins; null: for every wallet. */
  readonly permission: Permission | 'operator' | null;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}
