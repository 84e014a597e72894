import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

/** Verifies that a configured secret is the one that the data was written with. */
export const SecretCheckSchema = defineEntity({
  name: 'SecretCheck',
  tableName: 'secret_checks',
  properties: {
    /** The variable that holds the secret. */
    name: p.text().primary(),
    /** A constant encrypted or authenticated with the secret. */
    value: p.text(),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    SecretCheck: TableOf<typeof SecretCheckSchema>;
  }
}
