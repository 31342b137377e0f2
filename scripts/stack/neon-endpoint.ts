/** How to reach the database's endpoint, from the connection string that opens it. */
export const httpUrlOf = (connectionString: string): string => `http://${new URL(connectionString).host}`;

/** Switches the endpoint's faults (`POST /control`). */
export async function switchFaults(
  connectionString: string,
  faults: { readonly delay_ms?: number; readonly down?: boolean },
): Promise<void> {
  const response = await fetch(`${httpUrlOf(connectionString)}/control`, {
    method: 'POST',
    headers: { 'neon-connection-string': connectionString },
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(`the database's faults can't be switched: ${await response.text()}`);
  await response.body?.cancel();
}
