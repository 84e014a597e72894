import { shortHash } from '../../shared/amounts.ts';

/** The name of a member, or the begin and end of its wallet. */
export const memberName = ({ label, wallet }: { readonly label: string | null; readonly wallet: string }): string =>
  label ?? shortHash(wallet);
