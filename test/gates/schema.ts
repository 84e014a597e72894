import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { printedSchema, schema as served } from '../../src/doors/http/server/schema.ts';
import { printedDocument } from '../../src/doors/rest/openapi/mount.ts';
import { root } from './sources.ts';

const PRINTED = { 'schema.graphql': printedSchema, 'openapi.json': printedDocument };

/** Generated files (GraphQL schema, OpenAPI document) that are outdated. */
export async function schemaFaults(): Promise<string[]> {
  return Object.entries(PRINTED)
    .filter(([file, print]) => readFileSync(join(root, file), 'utf8') !== print())
    .map(([file]) => `${file} is outdated: run npm run codegen`);
}

/** Types, fields, arguments, inputs and enum values of the schema without a description. */
export function descriptionFaults(schema: GraphQLSchema = served): string[] {
  const faults: string[] = [];
  const check = (name: string, { description }: { description?: string | null }) => {
    if (!description) faults.push(`schema.graphql: ${name} has no description`);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const argument of 'args' in field ? field.args : [])
        check(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  return faults;
}
