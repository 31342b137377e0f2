/** A failure that its message explains: no stack is shown. */
export class DeploymentError extends Error {}

/** Runs a script's work; a `DeploymentError` becomes its message and exit code 1. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
