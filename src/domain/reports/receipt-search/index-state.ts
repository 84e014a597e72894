import { defineFollower } from '../../sales/receipts/follower.ts';

/**
 * How far the search has read. Its rows and terms have this version: a server with another one builds the search again.
 * Searches keep the rows that they have until the rebuild replaces them.
 */
export const SEARCH = defineFollower('ReceiptIndex', 'receipts', 3);
