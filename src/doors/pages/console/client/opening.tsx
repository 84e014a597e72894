/** The place of a page whose script is loading. Only assistive technology perceives its title. */
export function Opening({ title }: { readonly title: string }) {
  return (
    <div aria-busy="true">
      <h1 class="unseen">{title}</h1>
    </div>
  );
}
