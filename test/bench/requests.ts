/** A GET request, as its bytes are sent. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines(headers)}\r\n`);

/** A POST request with a JSON body, as its bytes are sent. */
export function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const json = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(json)}\r\n${lines(headers)}\r\n${json}`);
}

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
