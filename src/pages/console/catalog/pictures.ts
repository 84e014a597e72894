import { words } from '../words.ts';

/** The longest data URI of a picture. Eight of them and their item fit into one request. */
const MAX_PICTURE = 115_000;
/** The longest small picture, in characters: receipts show one of this size without loading anything. */
const MAX_THUMB = 4_096;
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** A picture of an item, and the small one for lists. */
export interface Picture {
  readonly uri: string;
  readonly thumb: string;
}

/** A sentence for the reader on why a file is no picture. */
export class PictureProblem extends Error {}

/** Reads a picture from a file and makes it small enough. Throws `PictureProblem`. */
export async function readPicture(file: File): Promise<Picture> {
  if (!file.type.startsWith('image/')) throw new PictureProblem(words.pictures.noPicture(file.name));
  if (file.size > MAX_FILE_BYTES) throw new PictureProblem(words.pictures.tooLarge(file.name));
  const source = await drawable(file);
  const [uri, thumb] = [within(source, [1200, 900, 640, 400], MAX_PICTURE), within(source, [96, 64, 40], MAX_THUMB)];
  if (!uri || !thumb) throw new PictureProblem(words.pictures.noPicture(file.name));
  return { uri, thumb };
}

/** A small picture, of an address that was read before. */
export async function thumbOf(uri: string): Promise<string | null> {
  const image = new Image();
  image.src = uri;
  await image.decode();
  return within({ image, width: image.naturalWidth, height: image.naturalHeight }, [96, 64, 40], MAX_THUMB);
}

interface Drawable {
  readonly image: CanvasImageSource;
  readonly width: number;
  readonly height: number;
}

/** The image of a file. It is read through a data URI, as the page's policy allows no other address of a file. */
async function drawable(file: File): Promise<Drawable> {
  const image = new Image();
  image.src = await dataUri(file);
  await image.decode().catch(() => {
    throw new PictureProblem(words.pictures.noPicture(file.name));
  });
  // A vector picture may have no size of its own.
  return { image, width: image.naturalWidth || 512, height: image.naturalHeight || 512 };
}

const dataUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureProblem(words.pictures.noPicture(file.name)));
    reader.readAsDataURL(file);
  });

/** The picture at the first of the sizes at which it is short enough; null if it is at none. */
function within({ image, width, height }: Drawable, sizes: readonly number[], most: number): string | null {
  for (const size of sizes) {
    const scale = Math.min(1, size / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const uri = canvas.toDataURL('image/webp', 0.82);
    if (uri.length <= most && uri !== 'data:,') return uri;
  }
  return null;
}
