/** The small picture of an item, or the first letter of its name. */
export function Thumb({ url, name }: { readonly url: string | null; readonly name: string }) {
  if (url) return <img class="thumb" src={url} alt="" width={40} height={40} loading="lazy" />;
  return (
    <span class="thumb letter" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  );
}
