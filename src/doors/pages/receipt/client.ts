/** Opens the browser's print dialog, which can also save a PDF. */
document.documentElement.classList.add('js');
document.getElementById('print')?.addEventListener('click', () => window.print());
