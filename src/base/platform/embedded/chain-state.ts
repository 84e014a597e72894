import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a chain's state: the file that anvil writes every second, and complete copies of it, newest first. */
export interface ChainFiles {
  live: string;
  copies: [newer: string, older: string];
}

/** A file modified more recently than this may still be being written. */
const settledMs = 250;

/** The files of a chain's state. */
export function chainFiles(dataDir: string, chainId: number): ChainFiles {
  const file = (suffix: string) => join(dataDir, `chain-${chainId}${suffix}.json`);
  return { live: file(''), copies: [file('.copy-1'), file('.copy-2')] };
}

/**
 * Copies the state if it is complete. anvil writes it in place, so a kill during a write leaves an incomplete file,
 * which anvil refuses at the next start. False if the file is not newer than `sinceMs` or is being written: try again
 * later.
 */
export async function copyChainState({ live, copies: [newer, older] }: ChainFiles, sinceMs: number): Promise<boolean> {
  const before = await stat(live).catch(() => undefined);
  if (!before || before.mtimeMs <= sinceMs || Date.now() - before.mtimeMs < settledMs) return false;
  const state = await readFile(live).catch(() => undefined);
  const after = await stat(live).catch(() => undefined);
  if (!state || !after || after.mtimeMs !== before.mtimeMs || after.size !== state.length) return false;
  if (state.at(-1) !== '}'.charCodeAt(0)) return false;
  const draft = `${newer}.draft`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(state);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(newer, older).catch(() => {});
  await rename(draft, newer);
  return true;
}

/**
 * Before a start, replaces a broken state file by the newest complete copy. Returns `intact`, `restored` (from a copy)
 * or `lost` (the chain starts empty; the broken file is renamed).
 */
export function repairChainState({ live, copies }: ChainFiles): 'intact' | 'restored' | 'lost' {
  if (!existsSync(live) ? !copies.some(existsSync) : isComplete(live)) return 'intact';
  if (existsSync(live)) renameSync(live, `${live}.broken`);
  for (const copy of copies) {
    if (!isComplete(copy)) continue;
    renameSync(copy, live);
    return 'restored';
  }
  for (const copy of copies) rmSync(copy, { force: true });
  return 'lost';
}

function isComplete(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
