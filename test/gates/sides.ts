import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Source } from './sources.ts';

/** Declarations that keep a side on purpose, each with why. */
const KEPT: readonly { readonly path: string; readonly declaration: string; readonly why: string }[] = [
  {
    path: 'src/doors/pages/sandbox/styles.css',
    declaration: 'border-width: 0 2px 2px 0',
    why: 'a turned corner that points down',
  },
  {
    path: 'src/doors/pages/portal/styles/ways.css',
    declaration: 'border-width: 0 2px 2px 0',
    why: 'a turned corner that points down',
  },
  {
    path: 'src/doors/pages/console/client/controls.css',
    declaration: 'border-width: 1.5px 1.5px 0 0',
    why: 'a turned corner, mirrored as a whole',
  },
  {
    path: 'src/doors/pages/console/client/controls.css',
    declaration: 'background-position: right 18px top 20px, right 13px top 20px',
    why: 'positions have no logical form',
  },
];

/** Properties and values that name the left or the right side. */
const NAMED =
  /^(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b.*|(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius):|^(?:text-align|float|clear|background-position|transform-origin|caption-side):.*\b(?:left|right)\b|^transform:.*\btranslateX\(|\bto (?:left|right)\b/;
const SHORTHAND =
  /^(?:margin|padding|inset|border-(?:width|color|style|radius)|scroll-margin|scroll-padding):\s*(?<values>.+)$/;

/** The values of a shorthand: those in parentheses are one. */
const valuesOf = (text: string): string[] => text.match(/(?:[^\s(]+|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

/** Whether a declaration treats left and right differently, in whichever direction the text runs. */
function hasSide(declaration: string): boolean {
  if (NAMED.test(declaration)) return true;
  const [first, second, third, fourth] = valuesOf(SHORTHAND.exec(declaration)?.groups?.values ?? '');
  if (declaration.startsWith('border-radius')) {
    // Two values are the diagonals.
    return second !== undefined && (first !== second || (third ?? first) !== (fourth ?? second));
  }
  return fourth !== undefined && second !== fourth;
}

/** The declarations of a stylesheet, each in one line. */
const declarationsOf = (css: string): string[] =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split(/[;{}]/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => /^[a-z-]+:/.test(part));

const stylesheets = (): Source[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .map((path) => ({ path: join('src', path), text: readFileSync(join(root, 'src', path), 'utf8') }));

/**
 * Declarations of pages that do not turn with the direction of the text. `margin-inline-start` is at the right in
 * Arabic; `margin-left` is not.
 */
export function sideFaults(files: readonly Source[] = stylesheets()): string[] {
  return files.flatMap(({ path, text }) =>
    declarationsOf(text)
      .filter(hasSide)
      .filter((found) => !KEPT.some((kept) => kept.path === path && kept.declaration === found))
      .map((found) => `${path}: "${found}": use a logical property, such as margin-inline-start or text-align: start`),
  );
}
