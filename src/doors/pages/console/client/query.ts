/** The same address with other values in its query; an empty value is left out. */
export function changeQuery(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const { pathname, searchParams } = new URL(url, location.origin);
  searchParams.delete('search');
  for (const [name, value] of Object.entries(changes)) {
    if (value) searchParams.set(name, value);
    else searchParams.delete(name);
  }
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}
