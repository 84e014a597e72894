import { useEffect, useRef } from 'preact/hooks';
import { imageUrl } from '../../shared/brand.ts';
import { fontStack, type PageTheme, palette, toHex } from '../../shared/theme.ts';
import { PREVIEW_PATH } from '../shared/settings.ts';
import { words } from '../shared/words.ts';

interface PreviewProps {
  readonly name: string;
  readonly theme: PageTheme;
}

/** The payment page with a sample order, in light and in dark, as it would look now. */
export function Preview(props: PreviewProps) {
  return (
    <section class="previews" aria-label={words.shop.preview}>
      <Frame {...props} mode="light" />
      <Frame {...props} mode="dark" />
    </section>
  );
}

function Frame({ name, theme, mode }: PreviewProps & { readonly mode: 'light' | 'dark' }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const paint = () => {
    const page = frame.current?.contentDocument;
    if (page?.body) paintPage(page, { name, theme, mode });
  };
  useEffect(paint, [name, theme, mode]);
  return (
    <figure class="preview">
      <div class="preview-window">
        <iframe ref={frame} src={PREVIEW_PATH} title={words.shop.previews[mode]} onLoad={paint} />
      </div>
      <figcaption class="soft">{words.shop.modes[mode]}</figcaption>
    </figure>
  );
}

/** Gives the sample page a theme, by the properties that its stylesheet reads. Nothing in it can be pressed. */
function paintPage(page: Document, { name, theme, mode }: PreviewProps & { readonly mode: 'light' | 'dark' }): void {
  const { style } = page.documentElement;
  page.body.inert = true;
  style.colorScheme = mode;
  style.setProperty('--font', fontStack(theme.fontFamily));
  for (const [property, color] of Object.entries(palette(theme, mode)))
    style.setProperty(`--${property}`, toHex(color));
  // The shop of the sample has no name: what is empty is the place of one.
  for (const each of page.querySelectorAll('bdi:empty')) each.classList.add('shop-name');
  for (const each of page.querySelectorAll('.shop-name')) each.textContent = name;
  paintLogo(page, imageUrl(theme.brandLogoUrl), name);
}

function paintLogo(page: Document, url: string | null, name: string): void {
  const old = page.querySelector('.brand .logo');
  if (!old) return;
  const logo = page.createElement(url ? 'img' : 'span');
  logo.className = url ? 'logo' : 'logo letter';
  if (logo instanceof (page.defaultView as unknown as typeof window).HTMLImageElement) {
    logo.src = url as string;
    logo.alt = '';
  } else logo.textContent = [...name][0]?.toUpperCase() ?? '·';
  old.replaceWith(logo);
}
