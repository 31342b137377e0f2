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

/** Begins a session with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  const response = await startAuthentication({ optionsJSON });
  await callAuth('POST', '/passkey/verify-authentication', { response });
}

/** Makes a passkey for who is signed in. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/passkey/generate-register-options',
  );
  const response = await startRegistration({ optionsJSON });
  await callAuth('POST', '/passkey/verify-registration', { response, name });
}

/** A person signed in: what the page had of another person goes, and the way leads where it was meant to. */
export function openAfterSignIn(to: unknown): void {
  queryClient.clear();
  window.location.replace(ownPage(to, window.location.origin));
}
