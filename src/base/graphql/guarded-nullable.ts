import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';

declare global {
  // Interfaces merge only if names and type parameters equal those of Pothos.
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      guardedNullable: GuardedNullablePlugin<Types>;
    }
  }
}

const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription'];

/**
 * Makes the root fields that a guard may refuse nullable, so that a refusal leaves the other root fields of the answer.
 * Resolvers need not know: a field without null in its options never resolves to null.
 */
class GuardedNullablePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { authScopes } = field.pothosOptions as { readonly authScopes?: { readonly public?: boolean } };
    if (!ROOTS.includes(field.kind) || !authScopes || authScopes.public === true) return field;
    return { ...field, type: { ...field.type, nullable: true } };
  }
}

/** The name of the plugin, for the list of the builder. */
export const guardedNullable = 'guardedNullable' as const;

SchemaBuilder.registerPlugin(guardedNullable, GuardedNullablePlugin);
