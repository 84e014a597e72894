import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly head: string;
  readonly stream: string | null;
}

/** The objects of a PDF as browsers write it: plain, with deflated streams. */
function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const [, id = '', body = ''] of text.matchAll(/(\d+) 0 obj\b([\s\S]*?)endobj/g)) {
    const at = body.search(/stream\r?\n/);
    if (at < 0) {
      objects.set(id, { head: body, stream: null });
      continue;
    }
    const head = body.slice(0, at);
    const raw = Buffer.from(body.slice(body.indexOf('\n', at) + 1, body.lastIndexOf('endstream')), 'latin1');
    objects.set(id, { head, stream: head.includes('/FlateDecode') ? inflateSync(raw).toString('latin1') : null });
  }
  return objects;
}

/** Which text each glyph of a font stands for. */
function glyphsOf(cmap: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  const textOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, block = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', text = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g))
      glyphs.set(Number.parseInt(glyph, 16), textOf(text));
  for (const [, block = ''] of cmap.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', text = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = Number.parseInt(from, 16);
      for (let glyph = first; glyph <= Number.parseInt(to, 16); glyph++)
        glyphs.set(glyph, String.fromCodePoint(textOf(text).codePointAt(0)! + glyph - first));
    }
  return glyphs;
}

/**
 * The pages of a PDF that a browser has printed, each with its text, without spaces: how far apart letters stand is no
 * part of it.
 */
export function readPdf(pdf: Buffer): {
  readonly pages: { readonly text: string; readonly widthPt: number; readonly heightPt: number }[];
} {
  const objects = objectsOf(pdf);
  const at = (id: string | undefined) => objects.get(id ?? '');
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return {
    pages: pages.map(({ head }) => {
      const fonts = new Map<string, Map<number, string>>();
      for (const [, block = ''] of head.matchAll(/\/Font\s*<<([\s\S]*?)>>/g))
        for (const [, name = '', id] of block.matchAll(/\/(\w+)\s+(\d+) 0 R/g)) {
          const cmap = /\/ToUnicode\s+(\d+) 0 R/.exec(at(id)?.head ?? '')?.[1];
          fonts.set(name, glyphsOf(at(cmap)?.stream ?? ''));
        }
      const content = at(/\/Contents\s+(\d+) 0 R/.exec(head)?.[1])?.stream ?? '';
      let font = new Map<number, string>();
      let text = '';
      for (const [, name, shown] of content.matchAll(
        /\/(\w+)\s+[\d.]+\s+Tf|((?:\[[^\]]*\]|<[0-9A-Fa-f]*>)\s*T[Jj])/g,
      )) {
        if (name) font = fonts.get(name) ?? new Map();
        else
          for (const [, hex = ''] of shown!.matchAll(/<([0-9A-Fa-f]*)>/g))
            for (const [glyph] of hex.matchAll(/.{4}/g)) text += font.get(Number.parseInt(glyph, 16)) ?? '';
      }
      const [, , widthPt = 0, heightPt = 0] =
        /\/MediaBox\s*\[([^\]]*)\]/.exec(head)?.[1]?.trim().split(/\s+/).map(Number) ?? [];
      // Ligatures are mapped to their letters.
      return { text: text.normalize('NFKC').replaceAll(/\s/g, ''), widthPt, heightPt };
    }),
  };
}
