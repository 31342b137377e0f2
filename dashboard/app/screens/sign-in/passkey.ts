import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { queryClient } from '../../api/query-client.ts';
import { callAuth } from '../../api/session.ts';
import { ownPage } from '../../lib/own-page.ts';

export const hasPasskeys = browserSupportsWebAuthn;

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  const response = await startAuthentication({ optionsJSON });
  await callAuth('POST', '/passkey/verify-authentication', { response });
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/passkey/generate-register-options',
  );
  const response = await startRegistration({ optionsJSON });
  await callAuth('POST', '/passkey/verify-registration', { response, name });
}

/** After signing in: clears another person's data and opens the intended page. */
export function openAfterSignIn(to: unknown): void {
  queryClient.clear();
  window.location.replace(ownPage(to, window.location.origin));
}
