import type { TestServer } from './server.ts';
import { runStatement } from './statement.ts';

/** Makes every change of a receipt fail: its next number in the history is taken. */
export const breakReceipt = (server: TestServer, receiptId: string) => shiftSeq(server, receiptId, -1);

/** Undoes `breakReceipt`. */
export const mendReceipt = (server: TestServer, receiptId: string) => shiftSeq(server, receiptId, 1);

const shiftSeq = ({ deps }: TestServer, receiptId: string, by: number) =>
  runStatement(deps.db, { name: 'test-shift-seq', text: 'update receipts set seq = seq + $2 where id = $1' }, [
    receiptId,
    by,
  ]);
