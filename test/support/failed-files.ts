import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '../..');
const listFile = join(root, '.cache/failed-tests.json');

/** A reporter that lists the files of a run that did not pass, for {@link readFailedFiles}. */
export class FailedFiles implements Reporter {
  #files: string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.map(({ moduleId }) => moduleId);
    rmSync(listFile, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const passed = new Set(modules.filter((module) => module.state() === 'passed').map(({ moduleId }) => moduleId));
    for (const { VITEST_TEST_PATH: file } of errors) passed.delete(String(file));
    const failed = this.#files.filter((file) => !passed.has(file));
    if (failed.length === 0) return;
    mkdirSync(dirname(listFile), { recursive: true });
    writeFileSync(listFile, JSON.stringify(failed.map((file) => relative(root, file))));
  }
}

/** The files that did not pass in the last run, relative to the project. Empty if it listed none. */
export function readFailedFiles(): string[] {
  return existsSync(listFile) ? (JSON.parse(readFileSync(listFile, 'utf8')) as string[]) : [];
}
