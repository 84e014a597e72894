import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { Database } from './database.ts';

export interface Query<Parameters extends object, Row> {
  readonly name: string;
  compile(db: Kysely<Database>): Compiled<Parameters, Row>;
}
export interface Compiled<Parameters extends object, Row> {
  readonly text: string;
  values(parameters: Parameters): unknown[];
  readonly row?: Row;
}
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
export function query<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>, parameters: Parameters) => Compilable<Row>,
): Query<Parameters, Row> {
  return {
    name,
    compile(db) {
      const placeholders = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as Parameters;
      const { sql: text, parameters } = build(db, placeholders).compile();
      return {
        text,
        values: (given) =>
          parameters.map((one) => (one instanceof Placeholder ? given[one.name as keyof Parameters] : one)),
      };
    },
  };
}
export function keyed<Key extends object, Row>(
  name: string,
  parts: readonly (keyof Key & string)[],
  build: (db: Kysely<Database>, key: { [P in keyof Key]: RawBuilder<Key[P]> }) => Compilable<Row>,
) {
  return { name, parts, build };
}
