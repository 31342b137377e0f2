/** A failure that its message explains: no stack is shown. */
export class DeploymentError extends Error {}

/** An option that there is not, or one without its value. */
const isUsage = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('ERR_PARSE_ARGS');

/** Runs a script's work; a `DeploymentError` or a wrong option becomes its message and exit code 1. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DeploymentError) && !isUsage(error as NodeJS.ErrnoException)) throw error;
    console.error(`\n${(error as Error).message}`);
    process.exitCode = 1;
  }
}
