import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * The trie's answers, remembered for paths without a parameter: most calls are of a few of them. What else is asked for is never
 * remembered, so that the memory has an end.
 */
export class StaticPathsRouter<T> implements Router<T> {
  readonly name = 'StaticPathsRouter';
  private readonly trie = new TrieRouter<T>();
  private readonly paths = new Set<string>();
  private readonly known = new Map<string, Result<T>>();

  add(method: string, path: string, handler: T): void {
    this.trie.add(method, path, handler);
    this.known.clear();
    if (!/[:*]/.test(path)) this.paths.add(path);
  }

  match(method: string, path: string): Result<T> {
    if (!this.paths.has(path)) return this.trie.match(method, path);
    const key = `${method} ${path}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.trie.match(method, path);
    // As many as there are methods and paths, whatever a caller invents.
    if (METHODS.has(method)) this.known.set(key, found);
    return found;
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
