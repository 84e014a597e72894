import { words } from '../shared/words.ts';

/** The longest data URI of a picture. Eight of them and their item fit into one request. */
const MAX_PICTURE = 115_000;
/** The longest small picture, in characters: receipts show one of this size without loading anything. */
const MAX_THUMB = 4_096;
const QUALITY = 0.82;
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** A sentence for the reader on why a file is no picture. */
export class PictureProblem extends Error {}

/** Reads a picture from a file and makes it small enough, as a data URI. Throws `PictureProblem`. */
export async function readPicture(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new PictureProblem(words.pictures.noPicture({ file: file.name }));
  if (file.size > MAX_FILE_BYTES) throw new PictureProblem(words.pictures.tooLarge({ file: file.name }));
  const uri = within(await drawable(file), [1200, 900, 640, 400], MAX_PICTURE);
  if (!uri) throw new PictureProblem(words.pictures.noPicture({ file: file.name }));
  return uri;
}

/** A small picture, of an address that was read before; null if it cannot be made small enough. */
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
    throw new PictureProblem(words.pictures.noPicture({ file: file.name }));
  });
  // A vector picture may have no size of its own.
  return { image, width: image.naturalWidth || 512, height: image.naturalHeight || 512 };
}

const dataUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureProblem(words.pictures.noPicture({ file: file.name })));
    reader.readAsDataURL(file);
  });

/**
 * The picture at the first of the sizes at which it is short enough; null if it is at none. Safari writes no WebP and
 * answers PNG in its place, which keeps what is transparent, and is too long for a photo.
 */
function within({ image, width, height }: Drawable, sizes: readonly number[], most: number): string | null {
  for (const size of sizes) {
    const scale = Math.min(1, size / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const fits = (uri: string) => uri.length <= most && uri !== 'data:,';
    const uri = canvas.toDataURL('image/webp', QUALITY);
    if (fits(uri)) return uri;
    if (!context || uri.startsWith('data:image/webp')) continue;
    // JPEG would show what is transparent as black.
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    const photo = canvas.toDataURL('image/jpeg', QUALITY);
    if (fits(photo)) return photo;
  }
  return null;
}
