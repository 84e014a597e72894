/** The note on a receipt that says that money arrived which may be meant for it. */
export const UNMATCHED_NOTE = 'transfer_unmatched';
/** The note on a receipt that says that its buyer is asked about a payment; see `readUnclaimedOf`. */
export const UNCLAIMED_NOTE = 'payment_unclaimed';
