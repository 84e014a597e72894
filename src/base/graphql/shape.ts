import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The size of a document, measured without a schema. */
export interface Shape {
  /**
   * Selections of the largest definition, with each fragment expanded at every spread. Tools that follow spreads take
   * at most this many steps.
   */
  readonly selections: number;
  /**
   * Levels of fields of the deepest operation. The content of `__schema` is not counted; graphql-js has a rule for it.
   */
  readonly depth: number;
  /** Aliases and directives in the text of all definitions. */
  readonly aliases: number;
  readonly directives: number;
  /**
   * Pairs of selections with the same response name, in all definitions. Validation compares each pair within one
   * object.
   */
  readonly repeats: number;
}

/** The size of one selection set. */
interface Extent {
  readonly selections: number;
  readonly depth: number;
}

const NOTHING: Extent = { selections: 0, depth: 0 };

/**
 * Measures a parsed document in time linear in its text: each fragment is measured once and its size is reused at each
 * spread. Returns an error for a fragment that contains itself.
 */
export function shapeOf(document: DocumentNode): Shape | GraphQLError {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, Extent>();
  const open = new Set<string>();
  let aliases = 0;
  let directives = 0;
  const uses = new Map<string, number>();
  let repeats = 0;
  let circle: GraphQLError | null = null;

  function ofFragment(name: string): Extent {
    const known = measured.get(name);
    if (known) return known;
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    if (open.has(name)) {
      circle ??= new GraphQLError(`Cannot spread fragment "${name}" within itself.`, { nodes: fragment });
      return NOTHING;
    }
    open.add(name);
    const extent = ofSet(fragment.selectionSet);
    open.delete(name);
    measured.set(name, extent);
    return extent;
  }

  function ofSelection(selection: SelectionNode): Extent {
    directives += selection.directives?.length ?? 0;
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
    if (selection.alias) aliases++;
    const key = (selection.alias ?? selection.name).value;
    const before = uses.get(key) ?? 0;
    uses.set(key, before + 1);
    repeats += before;
    const { selections, depth } = selection.selectionSet ? ofSet(selection.selectionSet) : NOTHING;
    return { selections, depth: selection.name.value === '__schema' ? 0 : depth + 1 };
  }

  function ofSet(set: SelectionSetNode): Extent {
    let selections = 0;
    let depth = 0;
    for (const selection of set.selections) {
      const extent = ofSelection(selection);
      selections += extent.selections + 1;
      depth = Math.max(depth, extent.depth);
    }
    return { selections, depth };
  }

  let selections = 0;
  let depth = 0;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      directives += definition.directives?.length ?? 0;
      for (const variable of definition.variableDefinitions ?? []) directives += variable.directives?.length ?? 0;
      const extent = ofSet(definition.selectionSet);
      selections = Math.max(selections, extent.selections);
      depth = Math.max(depth, extent.depth);
    }
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      directives += definition.directives?.length ?? 0;
      selections = Math.max(selections, ofFragment(definition.name.value).selections);
    }
  }
  return circle ?? { selections, depth, aliases, directives, repeats };
}

/** The fragments of a document, by name. */
export function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  return fragments;
}
