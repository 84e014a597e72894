/** The browser prints, and saves as PDF, by itself; the page only asks it to. */
document.documentElement.classList.add('js');
document.getElementById('print')?.addEventListener('click', () => window.print());
