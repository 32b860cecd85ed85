// Only browsers that know no modules run this: they get a plain page with the reason.
document.getElementById("app").innerHTML =
  "<p>这个浏览器太旧了：请换 2022 年以后的 Chrome、Edge、Firefox 或 Safari。</p>" +
  "<p>This browser is too old: please use Chrome, Edge, Firefox or Safari of 2022 or later.</p>";
