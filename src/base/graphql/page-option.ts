import type { FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from '@pothos/core';
import type { Page } from '../core/caller.ts';

/** Both pages of a receipt: the one that may write and the read-only one. */
export const RECEIPT_PAGES = ['receipt', 'receipt_read_only'] as const satisfies readonly Page[];

declare global {
  // Interfaces merge only if names and type parameters equal those of Pothos.
  export namespace PothosSchemaTypes {
    interface BaseTypeOptions<Types extends SchemaTypes = SchemaTypes> {
      /** The pages whose tokens may read the fields of the type. A field's own list overrides it. */
      pages?: readonly Page[];
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The pages whose tokens may read the field. Default: the list of its type. */
      pages?: readonly Page[];
    }
  }
}
