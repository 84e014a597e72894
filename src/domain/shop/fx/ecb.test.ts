import { expect, test } from 'vitest';
import { parseEcb } from './ecb.ts';

const NOW = Date.UTC(2025, 10, 21, 9);

const document = (rows: string, time = "time='2025-11-20'") => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube ${time}>
${rows}
		</Cube>
	</Cube>
</gesmes:Envelope>`;

const ROWS = `			<Cube currency='USD' rate='1.1514'/>
			<Cube currency='JPY' rate='181.53'/>
			<Cube currency='GBP' rate='0.88030'/>`;

test("the rate of the euro is read from the day's document, with the time of its concertation", () => {
  const quotedAt = Date.UTC(2025, 10, 20, 13, 15);
  expect(parseEcb(document(ROWS), NOW)).toEqual({ usdPerUnit: '1.1514', quotedAt, provider: 'ecb' });
  expect(parseEcb(document(ROWS).replaceAll("'", '"'), NOW).usdPerUnit).toBe('1.1514');
});

test('the time of a rate is never in the future', () => {
  expect(parseEcb(document(ROWS, "time='2025-11-21'"), NOW).quotedAt).toBe(NOW);
});

test.each([
  ['an empty document', ''],
  ['a page of another kind', '<html><body>Maintenance</body></html>'],
  ['no dollar', document("<Cube currency='JPY' rate='181.53'/>")],
  ['no day', document(ROWS, '')],
  ['a day that is none', document(ROWS, "time='2025-13-45'")],
  ['a rate that is no number', document("<Cube currency='USD' rate='N/A'/>")],
  ['a rate of 0', document("<Cube currency='USD' rate='0.0'/>")],
  ['a negative rate', document("<Cube currency='USD' rate='-1.1'/>")],
])('%s has no rate', (_, xml) => {
  expect(() => parseEcb(xml, NOW)).toThrow('The ECB document');
});
