import { defineEntity, p } from '@mikro-orm/core';

const SecretCheckSchema = defineEntity({
  name: 'SecretCheck',
  tableName: 'secret_checks',
  properties: {
    /** The variable that holds the secret. */
    name: p.text().primary(),
    /** What only this secret makes: a constant encrypted or authenticated with it. */
    value: p.text(),
  },
});

/** What tells whether a secret of the configuration is the one that the data was written with. */
export class SecretCheck extends SecretCheckSchema.class {}
SecretCheckSchema.setClass(SecretCheck);
