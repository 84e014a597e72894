import { imageUrl } from '../../shared/brand.ts';

/** A logo (or the first letter of the name) and the name, in its own text direction. */
export function Brand({ name, logoUrl }: { readonly name: string; readonly logoUrl: string | null }) {
  const logo = imageUrl(logoUrl);
  return (
    <div class="brand">
      {logo ? (
        <img class="logo" src={logo} alt="" height={40} referrerpolicy="no-referrer" />
      ) : (
        <span class="logo letter" aria-hidden="true">
          {[...name.trim()][0]?.toUpperCase() ?? '·'}
        </span>
      )}
      <bdi>{name}</bdi>
    </div>
  );
}
