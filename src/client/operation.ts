/** The text of an operation, with the types of its result and its variables. */
export type Operation<Result, Variables> = string & { readonly types?: (variables: Variables) => Result };
