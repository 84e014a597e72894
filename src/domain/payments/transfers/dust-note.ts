/** The note on a receipt for which nothing but dust has arrived. */
export const DUST_NOTE = 'dust_received';
