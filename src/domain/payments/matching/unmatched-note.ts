/** The note on a receipt that says that money arrived which may be meant for it. */
export const UNMATCHED_NOTE = 'transfer_unmatched';
