import type { PageChain } from '../../shared/chain.ts';

/** What the server passes to the console's script. */
export interface ConsoleSettings {
  readonly brandName: string;
  readonly brandLogoUrl: string | null;
  readonly chain: PageChain;
  /** All chains, the first one included. */
  readonly chains: readonly PageChain[];
  readonly graphqlUrl: string;
  /** The end of the streams when the document was made, so before the page reads; null if it is not known. */
  readonly streamEnd: string | null;
  /** How many lists of products a session may save in a minute; null: as many as it likes. */
  readonly batchesPerMinute: number | null;
  /** Where the demo merchant's wallet answers; null everywhere but on the local chain. */
  readonly testWalletUrl: string | null;
}

/** Where the payment page of a sample order is, for the console's preview of a theme. */
export const PREVIEW_PATH = '/console/shop/preview';

/** The cookie with the language that was chosen in this browser: the document of the console needs it. */
export const LANGUAGE_COOKIE = 'cb_console_language';
