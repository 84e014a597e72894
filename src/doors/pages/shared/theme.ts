/** The merchant's brand settings. Colours without enough contrast are shifted until text is readable. */
export interface PageTheme {
  primaryColor?: string | null;
  secondaryColor?: string | null;
  textColor?: string | null;
  accentColor?: string | null;
  /** `https:` or `data:image/…`; other URLs are omitted. */
  brandLogoUrl?: string | null;
  /** A font name of the safe list in this file; other names fall back to the system font. */
  fontFamily?: string | null;
}

/** A colour as red, green, blue, each 0…255. */
export type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** WCAG minimum contrast ratios for text and for non-text (control edges, focus rings). Body text uses a higher one. */
const textRatio = 4.6;
const shapeRatio = 3.1;
const inkRatio = 9;

const fontStacks: Record<string, string> = {
  system: 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif',
  inter: 'Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif',
  roboto: 'Roboto,system-ui,"Segoe UI",Arial,sans-serif',
  helvetica: '"Helvetica Neue",Helvetica,Arial,sans-serif',
  arial: 'Arial,"Helvetica Neue",Helvetica,sans-serif',
  avenir: '"Avenir Next",Avenir,Montserrat,Corbel,"URW Gothic",system-ui,sans-serif',
  rounded: 'ui-rounded,"SF Pro Rounded","Hiragino Maru Gothic ProN",Quicksand,Nunito,system-ui,sans-serif',
  georgia: 'Georgia,"Times New Roman",serif',
  serif: 'ui-serif,"New York","Iowan Old Style",Charter,Georgia,serif',
  mono: 'ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace',
};

/** The fonts that a shop can choose. */
export const FONT_NAMES = Object.keys(fontStacks).filter((name) => name !== 'system');

/** The font stack of a safe-list name, else the system's, so that no stored text reaches a stylesheet. */
export function fontStack(name: string | null | undefined): string {
  const first = (name ?? '').split(',')[0]?.replace(/["']/g, '').trim().toLowerCase() ?? '';
  return (Object.hasOwn(fontStacks, first) && fontStacks[first]) || (fontStacks.system as string);
}

/** `#rgb`, `#rrggbb`, `#rrggbbaa` or `rgb(r, g, b)` → colour; null for anything else. Alpha is ignored. */
export function parseColor(text: string | null | undefined): Rgb | null {
  const value = (text ?? '').trim().toLowerCase();
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1];
  if (hex && (hex.length === 3 || hex.length === 4)) {
    const [r = '0', g = '0', b = '0'] = hex;
    return [Number.parseInt(r + r, 16), Number.parseInt(g + g, 16), Number.parseInt(b + b, 16)];
  }
  if (hex && (hex.length === 6 || hex.length === 8)) {
    const byte = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
    return [byte(0), byte(2), byte(4)];
  }
  const [rgb, r, g, b] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value) ?? [];
  return rgb === undefined ? null : eachPart([Number(r), Number(g), Number(b)], (part) => Math.min(255, part));
}

const eachPart = ([r, g, b]: Rgb, rule: (part: number) => number): Rgb => [rule(r), rule(g), rule(b)];

/** WCAG relative luminance, 0…1. */
function luminance(color: Rgb): number {
  const [r, g, b] = eachPart(color, (part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio of two colours, 1…21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** `share` 0 is all `one`, 1 all `other`. */
function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [between(one[0], other[0]), between(one[1], other[1]), between(one[2], other[2])];
}

/** `color`, moved toward black or white only as far as it must be to reach `ratio` on every one of the backgrounds. */
function readableOn(color: Rgb, backgrounds: readonly Rgb[], ratio: number): Rgb {
  const worst = (candidate: Rgb) => Math.min(...backgrounds.map((background) => contrast(candidate, background)));
  const pole = worst(black) > worst(white) ? black : white;
  for (let share = 0; share <= 1; share += 0.02) {
    const candidate = mix(color, pole, share);
    if (worst(candidate) >= ratio) return candidate;
  }
  return pole;
}

/** A colour as `#rrggbb`. */
export function toHex(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

interface Ground {
  paper: Rgb;
  surface: Rgb;
  ink: Rgb;
  warn: Rgb;
  bad: Rgb;
  stubShare: number;
}

const light: Ground = {
  paper: [243, 241, 235],
  surface: [255, 254, 251],
  ink: [28, 27, 23],
  warn: [138, 83, 0],
  bad: [176, 42, 32],
  stubShare: 0.045,
};

const dark: Ground = {
  paper: [14, 15, 14],
  surface: [27, 28, 26],
  ink: [242, 240, 233],
  warn: [240, 184, 92],
  bad: [255, 143, 130],
  stubShare: 0.1,
};

const defaultPrimary: Rgb = [14, 92, 74];

/**
 * The colours of one mode by custom property. Each text colour is readable on each background that it can appear on.
 */
export function palette(theme: PageTheme, mode: 'light' | 'dark'): Record<string, Rgb> {
  const ground = mode === 'light' ? light : dark;
  const primary = parseColor(theme.primaryColor) ?? defaultPrimary;
  const wishedInk = parseColor(theme.textColor);
  const paper = mix(ground.paper, parseColor(theme.secondaryColor) ?? primary, 0.05);
  const surface = mode === 'light' ? ground.surface : mix(ground.surface, primary, 0.05);
  // A light colour tints more than a dark one.
  const stub = mix(surface, primary, ground.stubShare * (1 - 0.6 * luminance(primary)));
  const grounds = [paper, surface, stub];
  // A merchant's dark text colour does not fit the dark mode, so there it only tints the light text.
  const inkWish = wishedInk && (mode === 'light' ? wishedInk : mix(ground.ink, wishedInk, 0.06));
  const ink = readableOn(inkWish ?? ground.ink, grounds, inkRatio);
  // In light mode the brand colour is unchanged, and an edge makes a pale one visible; in dark mode a dark one is
  // lightened.
  const lifted = readableOn(primary, [surface], shapeRatio);
  const accent = mode === 'light' ? primary : lifted;
  const onAccent = contrast(accent, white) >= 4.5 ? white : black;
  const mark = readableOn(parseColor(theme.accentColor) ?? primary, grounds, mode === 'light' ? shapeRatio : textRatio);
  const warnTint = mix(surface, ground.warn, 0.1);
  const badTint = mix(surface, ground.bad, 0.08);
  return {
    paper,
    surface,
    stub,
    ink,
    muted: readableOn(mix(ink, surface, 0.36), grounds, textRatio),
    line: mix(surface, ink, mode === 'light' ? 0.11 : 0.15),
    edge: readableOn(mix(ink, surface, 0.5), grounds, shapeRatio),
    well: mix(surface, ink, mode === 'light' ? 0.04 : 0.05),
    accent,
    'accent-hover': mix(accent, onAccent === white ? black : white, 0.14),
    'accent-edge': lifted,
    'on-accent': onAccent,
    link: readableOn(primary, [...grounds, mix(surface, ink, 0.05)], textRatio),
    mark,
    'mark-tint': mix(surface, mark, mode === 'light' ? 0.12 : 0.2),
    warn: readableOn(ground.warn, [surface, warnTint], textRatio),
    'warn-tint': warnTint,
    bad: readableOn(ground.bad, [surface, badTint], textRatio),
    'bad-tint': badTint,
  };
}

function declarations(theme: PageTheme, mode: 'light' | 'dark'): string {
  return Object.entries(palette(theme, mode))
    .map(([name, color]) => `--${name}:${toHex(color)}`)
    .join(';');
}

/**
 * The page's colour and font stylesheet. Generated only from numbers and the safe list; it contains no text of the
 * merchant.
 */
export function themeCss(theme: PageTheme): string {
  return (
    `:root{color-scheme:light dark;--font:${fontStack(theme.fontFamily)};${declarations(theme, 'light')}}` +
    `@media (prefers-color-scheme:dark){:root{${declarations(theme, 'dark')}}}` +
    // Print always uses the light colours.
    `@media print{:root{color-scheme:light;${declarations(theme, 'light')}}}`
  );
}
