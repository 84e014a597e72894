import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from './postgres/database.ts';

const IdempotentAnswerSchema = defineEntity({
  name: 'IdempotentAnswer',
  tableName: 'idempotent_answers',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    /** Hex SHA-256 of the request's body. */
    bodyDigest: p.text(),
    /**
     * Null while the first request runs. Of type `json`, not `jsonb`, so that the order of the fields is kept.
     */
    answer: p.json().$type<unknown>().columnType('json').nullable(),
    createdAt: p.bigint('number').index(),
  },
});

/** The stored answer of an Idempotency-Key. */
export class IdempotentAnswer extends IdempotentAnswerSchema.class {}
IdempotentAnswerSchema.setClass(IdempotentAnswer);

declare module './postgres/database.ts' {
  interface Database {
    IdempotentAnswer: TableOf<typeof IdempotentAnswerSchema>;
  }
}
