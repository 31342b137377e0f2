document.body.textContent = 'The dashboard comes here.';
